import type { BulkChangeView } from '../../../contract/office-bulk-changes.ts'
import { pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import { KeptRows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import { Undo } from './Undo.tsx'
import { useChangeText } from './use-change-text.ts'

export function Outcome({ change }: { change: BulkChangeView }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const changeText = useChangeText()
  const count = pluralText(locale, texts.done, 'done', change.changed)
  const text = change.state === 'running' ? texts.running : `${changeText(change)}. ${count}`
  return (
    <section className="stack">
      <Message kind="success" text={text} />
      <KeptRows change={change} />
      {change.state === 'done' && change.changed > 0 && change.undoes === null && (
        <Undo change={change} />
      )}
    </section>
  )
}
