import type { Result } from '../../contract/call.ts'
import * as officeJoining from '../../contract/office-joining.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

/** The requests of teachers who want to join. */
export type Joining = Result<typeof officeJoining.listJoinRequests>

const loader = createLoader<Joining>('requests to join')
export const $joining = loader.$state

const read = () => ask(officeJoining.listJoinRequests, {})

export const loadJoining = (): Promise<void> => loader.load(read)

/** Reloads the requests while the old ones stay visible. */
export const refreshJoining = (): Promise<void> => loader.refresh(read)

/** Invites the teacher who requested to join. Throws an `ApiError`. */
export async function acceptJoining(id: number): Promise<void> {
  await ask(officeJoining.acceptJoinRequest, { params: { id } })
}

/** Refuses a request to join; the reason is mailed to the teacher. Throws an `ApiError`. */
export async function refuseJoining(id: number, reason: string): Promise<void> {
  await ask(officeJoining.refuseJoinRequest, { params: { id }, body: { reason } })
}
