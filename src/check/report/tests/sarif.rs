//! SARIF by the rules of its schema (OASIS, SARIF 2.1.0) for the objects that are written here: which members an object may
//! have, of what type they are, and which it must have. The snapshots were validated with the schema itself; it is not in
//! this repository because of its terms.

use super::text;
use crate::check::report::{ReportFormat, RunResults};
use serde_json::Value;

/// An object of SARIF: its name and its members as `name type`, with `!` behind one that must be there.
const OBJECTS: [(&str, &[&str]); 17] = [
    ("sarifLog", &["$schema uri", "version! version", "runs! [run]"]),
    ("run", &["tool! tool", "invocations [invocation]", "columnKind columnKind", "results [result]", "properties bag"]),
    ("tool", &["driver! toolComponent"]),
    ("toolComponent", &["name! text", "version text", "semanticVersion text", "rules [reportingDescriptor]"]),
    (
        "reportingDescriptor",
        &[
            "id! text",
            "name text",
            "shortDescription multiformat",
            "fullDescription multiformat",
            "help multiformat",
            "defaultConfiguration reportingConfiguration",
            "properties bag",
        ],
    ),
    ("multiformat", &["text! text", "markdown text"]),
    ("reportingConfiguration", &["enabled flag", "level level"]),
    ("invocation", &["executionSuccessful! flag", "toolExecutionNotifications [notification]"]),
    ("notification", &["message! message", "level level"]),
    ("message", &["text! text"]),
    (
        "result",
        &[
            "message! message",
            "ruleId text",
            "ruleIndex number",
            "level level",
            "locations [location]",
            "partialFingerprints texts",
            "properties bag",
        ],
    ),
    ("location", &["physicalLocation physicalLocation", "logicalLocations [logicalLocation]"]),
    ("physicalLocation", &["artifactLocation! artifactLocation", "region region"]),
    ("artifactLocation", &["uri reference", "uriBaseId text", "description message"]),
    ("region", &["startLine one", "startColumn one", "byteOffset number", "byteLength number"]),
    ("logicalLocation", &["fullyQualifiedName text", "kind text"]),
    ("texts", &[]),
];

fn check(value: &Value, kind: &str, at: &str) {
    if let Some(kind) = kind.strip_prefix('[') {
        for (i, item) in value.as_array().unwrap_or_else(|| panic!("{at}: no array")).iter().enumerate() {
            check(item, kind.trim_end_matches(']'), &format!("{at}[{i}]"));
        }
        return;
    }
    let text = || value.as_str().unwrap_or_else(|| panic!("{at}: {value}"));
    match kind {
        "text" => assert!(value.is_string(), "{at}: {value}"),
        "uri" => assert!(text().starts_with("https://"), "{at}"),
        "reference" => assert!(!text().starts_with('/') && !text().contains([':', '\\', ' ']), "{at}: {value}"),
        "version" => assert_eq!(text(), "2.1.0"),
        "level" => assert!(["none", "note", "warning", "error"].contains(&text()), "{at}: {value}"),
        "columnKind" => assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&text()), "{at}"),
        "flag" => assert!(value.is_boolean(), "{at}: {value}"),
        "number" => assert!(value.is_u64(), "{at}: {value}"),
        "one" => assert!(value.as_u64().is_some_and(|n| n > 0), "{at}: {value}"),
        "bag" => {
            assert!(value.is_object(), "{at}: {value}");
            if let Some(tags) = value.get("tags") {
                check(tags, "[text]", &format!("{at}.tags"));
            }
        }
        "texts" => assert!(value.as_object().unwrap().values().all(Value::is_string), "{at}: {value}"),
        _ => object(value, kind, at),
    }
}

fn object(value: &Value, kind: &str, at: &str) {
    let (_, members) = OBJECTS.iter().find(|(name, _)| *name == kind).unwrap_or_else(|| panic!("{kind}"));
    let value = value.as_object().unwrap_or_else(|| panic!("{at}: no object"));
    let mut known = 0;
    for row in *members {
        let (name, kind) = row.split_once(' ').unwrap();
        let (name, must) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        match value.get(name) {
            Some(member) => check(member, kind, &format!("{at}.{name}")),
            None => assert!(!must, "{at}: no {name}"),
        }
        known += usize::from(value.contains_key(name));
    }
    assert_eq!(known, value.len(), "{at} has a member that {kind} does not have: {value:?}");
}

/// The report of the run is SARIF, and says what the run came to.
pub fn valid(run: &RunResults<'_>) {
    let log: Value = serde_json::from_str(&text(ReportFormat::Sarif, run)).unwrap();
    check(&log, "sarifLog", "log");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), run.findings.len());
    let notes = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes.is_array(), run.not_read > 0);
    for (result, located) in results.iter().zip(run.findings) {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(result["ruleId"], located.finding.rule.code);
        assert_eq!(result["level"], located.finding.rule.severity.name());
        let name = &result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
        assert_eq!(name.as_str(), located.finding.pointer.as_deref().filter(|pointer| !pointer.is_empty()));
        let print = &result["partialFingerprints"]["primaryLocationLineHash"];
        assert_eq!(print.as_str(), Some(&*located.finding.fingerprint));
    }
}

#[test]
fn a_run_is_valid() {
    let findings = super::findings();
    valid(&super::run(&findings, &[]));
    valid(&RunResults { not_read: 3, ..super::run(&findings, &[]) });
    valid(&super::run(&[], &[]));
}
