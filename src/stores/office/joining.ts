import type { Result } from '../../contract/call.ts'
import * as officeJoining from '../../contract/office-joining.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

export type Joining = Result<typeof officeJoining.listJoinRequests>

const loader = createLoader<Joining>('requests to join')
export const $joining = loader.$state

const read = () => ask(officeJoining.listJoinRequests, {})

export const loadJoining = (): Promise<void> => loader.load(read)

export const refreshJoining = (): Promise<void> => loader.refresh(read)

export async function acceptJoining(id: number): Promise<void> {
  await ask(officeJoining.acceptJoinRequest, { params: { id } })
}

export async function refuseJoining(id: number, reason: string): Promise<void> {
  await ask(officeJoining.refuseJoinRequest, { params: { id }, body: { reason } })
}
