import type { Result } from '../../contract/call.ts'
import * as officeJoining from '../../contract/office-joining.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

/** Teachers who want to join. */
export type Joining = Result<typeof officeJoining.listJoinRequests>

const reading = createLoader<Joining>('requests to join')
export const $joining = reading.$state

const read = () => ask(officeJoining.listJoinRequests, {})

export const loadJoining = (): Promise<void> => reading.load(read)

/** Reads them again behind what is shown. */
export const refreshJoining = (): Promise<void> => reading.refresh(read)

/** Invites who asked. Throws an `ApiError`. */
export async function acceptJoining(id: number): Promise<void> {
  await ask(officeJoining.acceptJoinRequest, { params: { id } })
}

/** Refuses who asked; the reason is mailed. Throws an `ApiError`. */
export async function refuseJoining(id: number, reason: string): Promise<void> {
  await ask(officeJoining.refuseJoinRequest, { params: { id }, body: { reason } })
}
