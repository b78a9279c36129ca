//! Setters of options, so that options can be added without a break: their types cannot be built by naming all members.

/// Writes a method for each member: it takes the value, and returns the options with it.
macro_rules! setters {
    ($name:ident { $($kind:ident $member:ident: $type:ty,)* }) => {
        impl $name {
            $(setters! { @ $kind $member $type })*
        }
    };
    (@ value $member:ident $type:ty) => {
        #[doc = concat!("These options with this `", stringify!($member), "`.")]
        #[must_use]
        pub fn $member(mut self, $member: $type) -> Self {
            self.$member = $member;
            self
        }
    };
    (@ some $member:ident $type:ty) => {
        #[doc = concat!("These options with this `", stringify!($member), "`.")]
        #[must_use]
        pub fn $member(mut self, $member: $type) -> Self {
            self.$member = Some($member);
            self
        }
    };
    (@ text $member:ident $type:ty) => {
        #[doc = concat!("These options with this `", stringify!($member), "`.")]
        #[must_use]
        pub fn $member(mut self, $member: impl Into<$type>) -> Self {
            self.$member = $member.into();
            self
        }
    };
    (@ some_text $member:ident $type:ty) => {
        #[doc = concat!("These options with this `", stringify!($member), "`.")]
        #[must_use]
        pub fn $member(mut self, $member: impl Into<$type>) -> Self {
            self.$member = Some($member.into());
            self
        }
    };
    (@ list $member:ident $type:ty) => {
        #[doc = concat!("These options with these `", stringify!($member), "`.")]
        #[must_use]
        pub fn $member(mut self, $member: impl IntoIterator<Item = impl Into<$type>>) -> Self {
            self.$member = $member.into_iter().map(Into::into).collect();
            self
        }
    };
}

pub(super) use setters;
