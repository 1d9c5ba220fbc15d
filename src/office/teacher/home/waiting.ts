import * as earnings from '../../../contract/earnings.ts'
import * as officeDocuments from '../../../contract/office-documents.ts'
import * as officeRatings from '../../../contract/office-ratings.ts'
import * as teacherProfile from '../../../contract/teacher-profile.ts'
import type { DocumentState } from '../../../rules/document-life.ts'
import type { Millimes } from '../../../rules/money.ts'
import { ask } from '../../kit/backend.ts'
import { createLoader } from '../../kit/loader.ts'

/** Tasks that wait for a teacher, or for the shop on the teacher's behalf. */
export interface Waiting {
  /** How many of the teacher's documents are in each state. */
  documents: Readonly<Partial<Record<DocumentState, number>>>
  /** How many ratings await an answer. */
  ratings: number
  /** The amount that the teacher can request now; 0 below the minimum of a payout. */
  payable: Millimes
  /** The amount that was requested but not paid yet. */
  requested: Millimes
  /** Whether the teacher's public page has no text yet. */
  isPageEmpty: boolean
}

const loader = createLoader<Waiting>('what waits')
export const $waiting = loader.$state

export function loadWaiting(): Promise<void> {
  return loader.load(async () => {
    const [{ states }, { awaiting }, { available, requested, terms }, { bio }] = await Promise.all([
      ask(officeDocuments.listOwnDocuments, { query: { size: 1 } }),
      ask(officeRatings.listReceivedRatings, { query: { size: 1 } }),
      ask(earnings.getEarnings, {}),
      ask(teacherProfile.getOwnProfile, {}),
    ])
    const isPayable = available >= terms.payoutMinimum
    return {
      documents: states,
      ratings: awaiting,
      payable: isPayable ? available : 0,
      requested,
      isPageEmpty: bio === '',
    }
  })
}
