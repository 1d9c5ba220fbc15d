import { getPerson, type PersonView } from '../../../contract/office-people.ts'
import { ask } from '../backend.ts'
import { createChoiceLoader } from '../loader.ts'

const reading = createChoiceLoader<PersonView>('customer of a conversation')
/** The customer of the open conversation, with what they hold and have bought. */
export const $customer = reading.$state

export const loadCustomer = (id: number): Promise<void> =>
  reading.load(() => ask(getPerson, { params: { id } }))
