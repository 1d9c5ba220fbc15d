import { useEffect, useRef } from 'react'
import type { BulkChangeView } from '../../../contract/office-bulk-changes.ts'
import { pluralText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { STAFF_REASON_MAX_LENGTH } from '../../../rules/ledger.ts'
import { Button } from '../../kit/Button.tsx'
import { useFieldTable } from '../../kit/forms/field-table.tsx'
import { useReason } from '../../kit/forms/questions.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { applyChange } from './bulk-changes.ts'
import { ChangedRows, KeptRows } from './Rows.tsx'
import { useTexts } from './texts.ts'
import { useChangeText } from './use-change-text.ts'

export function Preview({ change, onBack }: { change: BulkChangeView; onBack: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-goods:change')
  const changeText = useChangeText()
  const heading = useRef<HTMLHeadingElement>(null)
  const table = useFieldTable([useReason()(STAFF_REASON_MAX_LENGTH, { hint: texts.reasonHint })])
  const { alert, attempt, isBusy } = useAction()
  const { changing, chosen } = change
  useEffect(() => heading.current?.focus(), [])

  const apply = async () => {
    if (table.check()) await attempt(() => applyChange(change, table.values.reason))
  }
  return (
    <section className="change stack">
      <h2 ref={heading} tabIndex={-1}>
        {changeText(change)}
      </h2>
      <p className="change__counts">
        <strong>{pluralText(locale, texts.changing, 'changing', changing)}</strong>{' '}
        <span className="soft">{pluralText(locale, texts.chosen, 'chosen', chosen)}</span>
      </p>
      <ChangedRows change={change} />
      <KeptRows change={change} />
      {alert}
      {changing > 0 && table.view}
      <div className="cluster">
        {changing > 0 && (
          <button
            type="button"
            className={`button button--${change.kind === 'unpublish' ? 'danger' : 'primary'}`}
            aria-busy={isBusy}
            onClick={apply}
          >
            {isBusy ? texts.applying : pluralText(locale, texts.apply, 'apply', changing)}
          </button>
        )}
        <Button disabled={isBusy} onClick={onBack}>
          {texts.back}
        </Button>
      </div>
    </section>
  )
}
