import * as earnings from '../../contract/earnings.ts'
import * as officeDocuments from '../../contract/office-documents.ts'
import * as officeRatings from '../../contract/office-ratings.ts'
import * as teacherProfile from '../../contract/teacher-profile.ts'
import type { DocumentState } from '../../rules/document-life.ts'
import type { Millimes } from '../../rules/money.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

/** What waits for a teacher, or for the shop on the teacher's behalf. */
export interface Waiting {
  /** How many of the teacher's documents are in each state. */
  documents: Readonly<Partial<Record<DocumentState, number>>>
  /** How many ratings await an answer. */
  ratings: number
  /** The amount that can be requested now; 0 while it is below the minimum of a payout. */
  payable: Millimes
  /** The amount that is requested and not paid yet. */
  requested: Millimes
  /** The public page says nothing about the teacher yet. */
  isPageEmpty: boolean
}

const reading = createLoader<Waiting>('what waits')
export const $waiting = reading.$state

export function loadWaiting(): Promise<void> {
  return reading.load(async () => {
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
