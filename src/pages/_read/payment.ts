import { is } from 'superstruct'
import type { Api } from '../../client/api.ts'
import type { AnyCall, Input, Result } from '../../contract/call.ts'
import { getSandboxPayment, getTransfer } from '../../contract/orders.ts'
import { paymentReference } from '../../contract/values.ts'
import { isNotFound } from './is-not-found.ts'

/** The transfer to show on its page; null if there is none with this reference. */
export function readTransfer(api: Api, reference: string | undefined) {
  return read(api, getTransfer, reference)
}

/** The payment to show on the sandbox's page; null if there is none with this reference. */
export function readSandboxPayment(api: Api, reference: string | undefined) {
  return read(api, getSandboxPayment, reference)
}

async function read<C extends AnyCall>(
  api: Api,
  call: C,
  paymentRef: string | undefined,
): Promise<Result<C> | null> {
  if (!is(paymentRef, paymentReference())) return null
  try {
    return await api(call, { query: { paymentRef } } as Input<C>)
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
