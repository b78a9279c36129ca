//! The types of items and events of the Responses API.

/// Calls that the client answers: also those of tools of the provider's own, whose type is their name.
pub(super) const CALLS: &[&str] =
    &["function_call", "custom_tool_call", "apply_patch_call", "computer_call", "local_shell_call", "shell_call"];

/// Calls that the provider answers itself.
pub(super) const HOSTED_CALLS: &[&str] =
    &["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "mcp_call"];

/// Items that neither speak nor call.
pub(super) const OTHERS: &[&str] =
    &["item_reference", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response"];

/// Events with the input and the results of the provider's own tools.
pub(super) const HOSTED: &[&str] = &[
    "response.mcp_call_arguments.*",
    "response.code_interpreter_call_code.*",
    "response.shell_call_command.*",
    "response.shell_call_output_content.*",
    "response.apply_patch_call_operation_diff.*",
];

/// Events with which a response begins.
pub(super) const BEGINNINGS: &[&str] = &["response.created", "response.in_progress", "response.queued"];

/// Events that repeat raw reasoning: those of parts are of vLLM.
pub(super) const RESTATED: &[&str] = &[
    "response.reasoning_text.done",
    "response.reasoning.done",
    "response.reasoning_part.added",
    "response.reasoning_part.done",
];

/// Events with more of a summary.
pub(super) const SUMMARY_DELTAS: &[&str] =
    &["response.reasoning_summary_text.delta", "response.reasoning_summary.delta"];

/// Events that repeat a summary.
pub(super) const SUMMARY_RESTATED: &[&str] = &[
    "response.reasoning_summary_text.done",
    "response.reasoning_summary.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_part.done",
];

/// The states of a response or an item that has not failed.
pub(super) const STATES: &[&str] = &["completed", "in_progress", "queued"];
