import type { Input } from '../../contract/call.ts'
import type { Stamp } from '../../contract/office-stamp.ts'
import * as stamp from '../../contract/office-stamp.ts'
import { problemOf } from '../shared/problem.ts'
import { ask } from './backend.ts'
import { createLoader } from './loader.ts'

const reading = createLoader<Stamp>('stamp')
export const $stamp = reading.$state

const read = () => ask(stamp.getStamp, {})
export const loadStamp = (): Promise<void> => reading.load(read)

/** Switches the stamp, and reads it again where somebody else was first. Throws an `ApiError`. */
export async function setStamp(body: Input<typeof stamp.setStamp>['body']): Promise<void> {
  try {
    reading.show(await ask(stamp.setStamp, { body }))
  } catch (error) {
    if (problemOf(error).status === 409) void reading.refresh(read)
    throw error
  }
}

/** Which files are tried again. */
export type Retried = Input<typeof stamp.retryFiles>['body']['what']

/** Tries the files of a list again. Throws an `ApiError`. */
export async function retryFiles(what: Retried): Promise<void> {
  reading.show(await ask(stamp.retryFiles, { body: { what } }))
}
