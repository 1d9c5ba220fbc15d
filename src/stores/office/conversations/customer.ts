import { getPerson, type PersonView } from '../../../contract/office-people.ts'
import { ask } from '../backend.ts'
import { createChoiceLoader } from '../loader.ts'

const loader = createChoiceLoader<PersonView>('customer of a conversation')
/** The customer of the open conversation, with their balance and purchases. */
export const $customer = loader.$state

export const loadCustomer = (id: number): Promise<void> =>
  loader.load(() => ask(getPerson, { params: { id } }))
