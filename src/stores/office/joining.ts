import * as officeJoining from '../../contract/office-joining.ts'
import { ask } from './backend.ts'
import { resource } from './loader.ts'

export const {
  $state: $joining,
  load: loadJoining,
  refresh: refreshJoining,
} = resource(officeJoining.listJoinRequests)

export async function acceptJoining(id: number): Promise<void> {
  await ask(officeJoining.acceptJoinRequest, { params: { id } })
}

export async function refuseJoining(id: number, reason: string): Promise<void> {
  await ask(officeJoining.refuseJoinRequest, { params: { id }, body: { reason } })
}
