import * as people from '../../../contract/office-people.ts'
import {
  type InvitationForm,
  type MergePreview,
  PERSON_FILTERS,
  PERSON_SORTS,
  type Person,
  type PersonView,
} from '../../../contract/office-people.ts'
import { ROLES } from '../../../rules/roles.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { createChoiceLoader, ofAddress, resource, resourceFor } from '../../kit/loader.ts'
import { tableOf } from '../../kit/tables/table.ts'

export const peopleTable = tableOf(people.listPeople, {
  sorts: PERSON_SORTS,
  choices: { role: ROLES, state: PERSON_FILTERS },
})

/** Invites somebody, and reloads the list. Throws an `ApiError`. */
export const invite = (body: InvitationForm) =>
  peopleTable.after(ask(people.invitePerson, { body }))

export const shownPerson = resource(people.getPerson, ofAddress('user_not_found'))

const REASONED_CALLS = {
  block: people.blockPerson,
  unblock: people.unblockPerson,
  secondFactor: people.resetSecondFactorOf,
} as const

const PLAIN_CALLS = {
  endSessions: people.endSessionsOf,
  passwordLink: people.sendPasswordLink,
  inviteAgain: people.inviteAgain,
  withdraw: people.withdrawInvitation,
} as const

type ReasonedAct = keyof typeof REASONED_CALLS | 'phoneCode'

export type PersonAct = ReasonedAct | keyof typeof PLAIN_CALLS

export const needsReason = (act: PersonAct): act is ReasonedAct =>
  act === 'phoneCode' || act in REASONED_CALLS

/** The actions that other staff can take on this account in its current state. */
export function actsFor({ person, hasSecondFactor }: PersonView): readonly PersonAct[] {
  if (person.state === 'closed' || person.state === 'deleted') return []
  if (person.state === 'invited') return ['inviteAgain', 'withdraw']
  const acts: PersonAct[] = ['endSessions']
  if (person.email !== null) acts.push('passwordLink')
  // An account with an e-mail address gets a link there.
  if (person.role === 'PARENT' && person.email === null) acts.push('phoneCode')
  if (hasSecondFactor) acts.push('secondFactor')
  return person.state === 'blocked' ? ['unblock'] : [...acts, 'block']
}

/**
 * Performs an action and reloads the account, even after an edit conflict. Throws an `ApiError`.
 */
export async function actOn(id: number, act: PersonAct, reason: string): Promise<ActDone> {
  const params = { id }
  if (act === 'phoneCode') {
    const { waits, code } = await ask(people.readOutCode, { params, body: { reason } })
    refreshPerson()
    return { waits, code: code?.code ?? '' }
  }
  const work = needsReason(act)
    ? ask(REASONED_CALLS[act], { params, body: { reason } })
    : ask(PLAIN_CALLS[act], { params })
  await orReload<unknown>(work, refreshPerson)
  if (act !== 'withdraw') refreshPerson()
  return { waits: null, code: '' }
}

interface ActDone {
  /** The act that waits for a second person. */
  waits: number | null
  /** The code to read out, shown this once; '' for what makes none. */
  code: string
}

export const refreshPerson = () => void shownPerson.refresh()

const foundLoader = createChoiceLoader<readonly Person[]>('customers')
export const $found = foundLoader.$state

const FOUND_AT_MOST = 10

export function findOther(q: string, intoId: number): Promise<void> {
  return foundLoader.load(async () => {
    const query = { q, role: 'PARENT', size: FOUND_AT_MOST } as const
    const { content } = await ask(people.listPeople, { query })
    return content.filter(({ id, state }) => id !== intoId && state !== 'closed')
  })
}

export const { $state: $merge, load: loadMerge } = resourceFor(
  people.previewMerge,
  ({ into, from }: { into: number; from: number }) => ({ params: { id: into }, query: { from } }),
)

/**
 * Merges two accounts, once for each `key`, and ends the deletions that were shown; whether that
 * waits for a second person. Throws an `ApiError`.
 */
export async function merge(
  { from, into, deletions }: MergePreview,
  { reason, key }: { reason: string; key: string },
): Promise<boolean> {
  const endsDeletionOf = deletions.map(({ id }) => id)
  const body = { fromId: from.id, reason, endsDeletionOf }
  const input = { params: { id: into.id }, body }
  const work = ask(people.mergePeople, input, { idempotencyKey: key })
  const { waits } = await orReload(work, () => loadMerge({ into: into.id, from: from.id }))
  return waits !== null
}
