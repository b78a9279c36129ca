//! Facts of messages, of their blocks, and of the request that they stand in.

use super::Draw;
use super::slots::DrawSlot;
use crate::model::content::{Attribute, HeadFact};
use crate::model::{ContentEvent, Event, Loss};

impl Draw {
    /// Notes a fact.
    pub(super) fn set(&mut self, event: &Event<'_>) {
        let Event::Content(ContentEvent::Set { lane, block, name, key, value, at, .. }) = event else { return };
        match lane {
            // A signature of reasoning on a call or a text stands for reasoning that is not in the input.
            Some(lane) if matches!(name, Attribute::Lost(Loss::Signature) | Attribute::CallSignature) => {
                self.open.get_mut(lane).into_iter().for_each(|open| open.counted.sealed += 1);
            }
            Some(lane) => self.change(*lane, |open, rules, names| {
                use Attribute::{Created, Error, Extra, Id, Member, Model, StopDetail};
                match name {
                    Created | Error | Extra | Id | Member | Model | StopDetail => open.fact(*name, value),
                    name if name.is_usage() => open.fact(*name, value),
                    _ => open.change(rules, names, |gather, steps, losses| {
                        gather.fact(*block, (*name, value), steps, losses);
                    }),
                }
            }),
            None => {
                // Requests before this one may still wait to be drawn.
                let request = self.queue.slots.iter_mut().rev().find(|slot| matches!(slot, DrawSlot::Request(_)));
                if let (Some(DrawSlot::Request(head)), true) = (request, self.record.request) {
                    head.facts.push(HeadFact { name: *name, key: key.to_vec(), value: value.to_vec(), at: *at });
                }
            }
        }
    }
}
