import * as s from 'superstruct'
import type { AnyCall } from '../../contract/call.ts'
import { Act, Bound } from '../../contract/office-acts.ts'
import type { OfficeFacts } from '../../contract/office-facts.ts'
import { LoggedAction } from '../../contract/office-log.ts'
import { actDetail, actionText, boundText, reasonText, subjectText } from '../../i18n/office-log.ts'
import { TEXTS } from '../../i18n/texts.ts'
import { actorText } from '../../rules/office-actions.ts'
import type { FactGroup } from '../../rules/site-facts.ts'
import { readableReference } from '../../rules/typed-numbers.ts'

// What a call answers in codes, as the office's pages say it. `--json` prints the answer itself.

/**
 * What is printed of an answer: of a saved group of facts that group, though the answer has all of
 * them.
 */
export function savedFact({ method, path }: AnyCall, json: unknown): unknown {
  const [, group] = /^\/office\/admin\/facts\/(\w+)$/.exec(path) ?? []
  if (method !== 'PUT' || !group) return json
  const { facts, groups } = json as OfficeFacts
  return { ...facts[group as FactGroup], revision: groups[group as FactGroup].revision }
}

/** The same answer with what it holds in codes in words. `prefix` is that of payments' references. */
export function inWords(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((each) => inWords(each, prefix))
  if (typeof value !== 'object' || value === null) return value
  if (s.is(value, LoggedAction)) return loggedInWords(value, prefix)
  if (s.is(value, Act)) return actInWords(value)
  if (s.is(value, Bound)) return { bound: boundText(value.name, OF_ACTS), ...value }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inWords(inner, prefix)]),
  )
}

const OF_ACTS = TEXTS.en['office-acts']

/** For pages with text of both directions. */
const ISOLATES = /[\u2066-\u2069]/g
const plain = (text: string): string => text.replace(ISOLATES, '')

function loggedInWords(logged: LoggedAction, prefix: string) {
  const { id, at, actor, action, subject, reason } = logged
  const { actions, subjects, settings, fields } = TEXTS.en['office-log']
  const { kinds, bounds } = OF_ACTS
  const readable = (reference: string) => readableReference(reference, prefix)
  const kind = plain(subjectText(subject, subjects, readable))
  const why = reasonText('en', { action, reason }, { settings, fields, kinds, bounds })
  return {
    id,
    at,
    who: actorText(actor.name, TEXTS.en.office.actor),
    what: actionText(action, actions),
    whom: [subject.name, kind].filter(Boolean).join(' · '),
    why: plain(why) || null,
  }
}

/** The command line is nobody whom an act waits for: its state says no more than its name. */
function actInWords(act: Act) {
  const { id, kind, customer, amount, endsDeletion, reason, state } = act
  const nameOf = (name: string | null) => name && actorText(name, TEXTS.en.office.actor)
  const { page, kinds } = OF_ACTS
  return {
    id,
    what: kinds[kind],
    whom: customer?.name ?? null,
    detail: [plain(actDetail('en', act, OF_ACTS)), endsDeletion && page.endsDeletion]
      .filter(Boolean)
      .join(' · '),
    amount: amount || null,
    why: reason,
    state: page.states[state],
    asked: act.proposedAt,
    by: nameOf(act.proposer),
    decided: act.decidedAt,
    decider: nameOf(act.decider),
    refusal: act.refusal,
  }
}
