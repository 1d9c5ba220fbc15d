import type { Input } from '../../../contract/call.ts'
import * as stamp from '../../../contract/office-stamp.ts'
import { ask, orReload } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'

const all = resource(stamp.getStamp)
export const { $state: $stamp, load: loadStamp } = all

export async function setStamp(body: Input<typeof stamp.setStamp>['body']): Promise<void> {
  all.show(await orReload(ask(stamp.setStamp, { body }), all.refresh))
}

export type Retried = Input<typeof stamp.retryFiles>['body']['what']

export async function retryFiles(what: Retried): Promise<void> {
  all.show(await ask(stamp.retryFiles, { body: { what } }))
}
