import type { Result } from '../../contract/call.ts'
import type { MergePreview } from '../../contract/office-merge.ts'
import * as merging from '../../contract/office-merge.ts'
import * as people from '../../contract/office-people.ts'
import {
  type InvitationForm,
  type listPeople,
  PERSON_FILTERS,
  PERSON_SORTS,
  type Person,
  type PersonSort,
  type PersonView,
} from '../../contract/office-people.ts'
import { ROLES } from '../../rules/roles.ts'
import { problemOf, Refusal } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createChoiceLoader, createLoader } from './loader.ts'
import { idInAddress } from './page-id.ts'
import { createTable } from './table.ts'

/** All accounts, filtered by role or state. */
export const peopleTable = createTable<Person, PersonSort, Result<typeof listPeople>>({
  what: 'people',
  sorts: PERSON_SORTS,
  filters: ['role', 'state'],
  load: ({ page, sort, q, role, state }, signal) => {
    const one = ROLES.find((each) => each === role)
    const narrowed = PERSON_FILTERS.find((each) => each === state)
    const query = {
      page,
      sort,
      ...(q && { q }),
      ...(one && { role: one }),
      ...(narrowed && { state: narrowed }),
    }
    return ask(people.listPeople, { query }, { signal })
  },
})

/** Invites somebody to the office. Throws an `ApiError`. */
export async function invite(body: InvitationForm): Promise<void> {
  await ask(people.invitePerson, { body })
  peopleTable.refresh()
}

const reading = createLoader<PersonView>('person')
/** The account that the page is about. */
export const $person = reading.$state

export function loadPerson(): Promise<void> {
  return reading.load(async () => {
    const id = idInAddress()
    if (id === null) throw new Refusal('user_not_found', 404)
    return ask(people.getPerson, { params: { id } })
  })
}

const CALLS = {
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

/** What is done for a reason that the log keeps. */
export type ReasonedAct = keyof typeof CALLS

/** What can be done to an account. */
export type PersonAct = ReasonedAct | keyof typeof PLAIN_CALLS

export const needsReason = (act: PersonAct): act is ReasonedAct => act in CALLS

/** What can be done to this account now, by somebody else. */
export function actsFor({ person, hasSecondFactor }: PersonView): readonly PersonAct[] {
  if (person.state === 'closed') return []
  if (person.state === 'invited') return ['inviteAgain', 'withdraw']
  const acts: PersonAct[] = ['endSessions', 'passwordLink']
  if (hasSecondFactor) acts.push('secondFactor')
  return person.state === 'blocked' ? ['unblock'] : [...acts, 'block']
}

/** Does it, and reads the account again, also where somebody else was first. Throws an `ApiError`. */
export async function actOn(id: number, act: PersonAct, reason: string): Promise<void> {
  const params = { id }
  try {
    if (needsReason(act)) await ask(CALLS[act], { params, body: { reason } })
    else await ask(PLAIN_CALLS[act], { params })
  } catch (error) {
    if (problemOf(error).status === 409) refreshPerson(id)
    throw error
  }
  if (act !== 'withdraw') refreshPerson(id)
}

const refreshPerson = (id: number) =>
  void reading.refresh(() => ask(people.getPerson, { params: { id } }))

const finding = createChoiceLoader<readonly Person[]>('customers')
/** The customers found by a search, except the account that stays. */
export const $found = finding.$state

const FOUND_AT_MOST = 10

/** Looks for a customer's account beside the one that stays. */
export function findOther(q: string, besideId: number): Promise<void> {
  return finding.load(async () => {
    const query = { q, role: 'PARENT', size: FOUND_AT_MOST } as const
    const { content } = await ask(people.listPeople, { query })
    return content.filter(({ id, state }) => id !== besideId && state !== 'closed')
  })
}

const previewing = createChoiceLoader<MergePreview>('merge')
/** What a merge of the two chosen accounts would move. */
export const $merge = previewing.$state

export function previewMerge(intoId: number, fromId: number): Promise<void> {
  const input = { params: { id: intoId }, query: { from: fromId } }
  return previewing.load(() => ask(merging.previewMerge, input))
}

/** Merges them; a repetition with the same key has no further effect. Throws an `ApiError`. */
export async function merge(
  { from, into }: MergePreview,
  { reason, key }: { reason: string; key: string },
): Promise<void> {
  const input = { params: { id: into.id }, body: { fromId: from.id, reason } }
  await ask(merging.mergePeople, input, { idempotencyKey: key })
}
