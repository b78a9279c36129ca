//! Setters of options, so that options can be added without a break: their types cannot be built by naming all members.

/// Writes a method for each member: it takes the value, and returns the options with it. The value behind `=` is that of
/// its example, which is a test of the documentation; the text behind the type makes the options there.
macro_rules! setters {
    ($name:ident $make:literal { $($kind:ident $member:ident: $type:ty $(= $example:literal)?,)* }) => {
        impl $name {
            $(setters! { @ $kind $member $type, $make $(, $example)? })*
        }
    };
    (@ value $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! { @ method $member, $type, $member, $make, $example, "", "", "" }
    };
    (@ some $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! { @ method $member, $type, Some($member), $make, $example, "", "Some(", ")" }
    };
    (@ text $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! { @ method $member, impl Into<$type>, $member.into(), $make, $example, "", "", "" }
    };
    (@ some_text $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! {
            @ method $member, impl Into<$type>, Some($member.into()), $make, $example, ".as_deref()", "Some(", ")"
        }
    };
    (@ list $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! {
            @ method $member, impl IntoIterator<Item = impl Into<$type>>, $member.into_iter().map(Into::into).collect(),
            $make, $example, "", "", ""
        }
    };
    (@ items $member:ident $type:ty, $make:literal, $example:literal) => {
        setters! {
            @ method $member, impl IntoIterator<Item = $type>, $member.into_iter().collect(), $make, $example, "", "", ""
        }
    };
    (@ input $member:ident $type:ty, $make:literal) => {
        /// These options with this `input`.
        ///
        /// ```
        #[doc = concat!("let options = unthink::", $make, ".input(unthink::InputOptions::default().live(true));")]
        /// assert!(options.input.live);
        /// ```
        #[must_use]
        pub fn $member(mut self, $member: $type) -> Self {
            self.$member = $member;
            self
        }
    };
    (@ method $member:ident, $takes:ty, $value:expr, $make:literal, $example:literal, $as:literal, $before:literal, $after:literal) => {
        #[doc = concat!("These options with `", stringify!($member), "`.")]
        ///
        /// ```
        #[doc = concat!("let options = unthink::", $make, ".", stringify!($member), "(", $example, ");")]
        #[doc = concat!("assert_eq!(options.", stringify!($member), $as, ", ", $before, $example, $after, ");")]
        /// ```
        #[must_use]
        pub fn $member(mut self, $member: $takes) -> Self {
            self.$member = $value;
            self
        }
    };
}

pub(super) use setters;
