import type { AnyCall, Input, Result } from '../../contract/call.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { createLoaderFor } from '../../stores/shared/loader.ts'
import { Refusal } from '../../stores/shared/problem.ts'
import { ask } from './backend.ts'
import { $officeSession } from './session.ts'

/** A store for data of the logged-in staff member; `what` names the data in the log. */
export const createLoader = <T>(what: string) =>
  createLoaderFor<T>(() => $officeSession.get()?.userId, what)

/**
 * A loader for one of several choices: shows the one requested last, in whatever order the
 * responses arrive.
 */
export function createChoiceLoader<T>(what: string) {
  const { $state, load, show } = createLoader<T>(what)
  let latest: Promise<T>
  return {
    $state,
    show,
    load: (read: () => Promise<T>) =>
      load(async () => {
        latest = read()
        await latest.catch(() => undefined)
        return latest // may be a newer request by now
      }),
  }
}

/** What `read` returns, as a store that loads it; `what` names it in the log. */
export function resourceBy<T>(what: string, read: () => Promise<T>) {
  const { $state, load, refresh, show } = createLoader<T>(what)
  return {
    $state,
    show,
    load: () => load(read),
    refresh: () => refresh(read),
    /** The value, if it is there. */
    value(): T | undefined {
      const state = $state.get()
      return state.phase === 'ready' ? state.value : undefined
    },
  }
}

/** What a call returns, likewise. */
export const resource = <C extends AnyCall>(
  call: C,
  input: () => Input<C> = () => ({}) as Input<C>,
) => resourceBy<Result<C>>(call.path, async () => ask(call, input()))

/** Likewise for one of several choices. */
export function resourceFor<C extends AnyCall, Choice>(
  call: C,
  input: (choice: Choice) => Input<C>,
) {
  const { $state, load, show } = createChoiceLoader<Result<C>>(call.path)
  const read = (choice: Choice) => ask(call, input(choice))
  return { $state, show, read, load: (choice: Choice) => load(() => read(choice)) }
}

/** The input of a call for the thing in the page's URL; `code` refuses a URL without one. */
export const ofAddress = (code: ErrorCode) => () => {
  const id = idInAddress()
  if (id === null) throw new Refusal(code, 404)
  return { params: { id } }
}

/** The id in the page's URL, `?id=12`; null if there is no valid one. */
export function idInAddress(name = 'id'): number | null {
  const id = Number(new URLSearchParams(location.search).get(name))
  return Number.isSafeInteger(id) && id > 0 && id < 2 ** 31 ? id : null
}
