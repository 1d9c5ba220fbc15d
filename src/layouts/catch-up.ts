// Part of the intent script, after all event handlers: passes them the events from before they were
// there.
import { onEvent, wakeOthers } from '../islands/intent/intent.ts'
import { early } from './remembered.ts'
import { onClick } from './taps.ts'

const { events = [] } = early
delete early.events
for (const event of events) {
  onEvent(event)
  if (event.type === 'karras:wake') wakeOthers()
  if (event.type === 'click') onClick(event as MouseEvent)
}
