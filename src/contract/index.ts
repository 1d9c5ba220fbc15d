import * as contract from './all-calls.ts'
import { type AnyCall, callsIn } from './call.ts'

/** All calls of the contract by name: the server answers them, and the tests try them. */
export const CALLS: Readonly<Record<string, AnyCall>> = callsIn(contract)
