import type { Input } from '../../contract/call.ts'
import type { Stamp } from '../../contract/office-stamp.ts'
import * as stamp from '../../contract/office-stamp.ts'
import { ask, orReload } from './backend.ts'
import { createLoader } from './loader.ts'

const loader = createLoader<Stamp>('stamp')
export const $stamp = loader.$state

const read = () => ask(stamp.getStamp, {})
export const loadStamp = (): Promise<void> => loader.load(read)

export async function setStamp(body: Input<typeof stamp.setStamp>['body']): Promise<void> {
  loader.show(await orReload(ask(stamp.setStamp, { body }), () => loader.refresh(read)))
}

export type Retried = Input<typeof stamp.retryFiles>['body']['what']

export async function retryFiles(what: Retried): Promise<void> {
  loader.show(await ask(stamp.retryFiles, { body: { what } }))
}
