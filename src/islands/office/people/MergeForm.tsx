import { useRef, useState } from 'react'
import type { MergePreview, Person } from '../../../contract/office-people.ts'
import { fillText, priceText } from '../../../i18n/format.ts'
import { merge, previewMerge } from '../../../stores/office/people.ts'
import { problemOf } from '../../../stores/shared/problem.ts'
import { randomId } from '../../../stores/shared/random-id.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { Money, Words } from '../parts/cells.tsx'
import { ReasonField, readReason } from './ReasonField.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'

interface Props {
  preview: MergePreview
  onSwap: () => void
  onDone: () => void
}

const COUNTS = [
  'orders',
  'openPayments',
  'documents',
  'ratings',
  'droppedRatings',
  'conversations',
  'wishes',
  'cartItems',
] as const

/** The preview of a merge, with a form for its reason and a confirmation. */
export function MergeForm({ preview, onSwap, onDone }: Props) {
  const locale = useLocale()
  const texts = useTexts('office-people:merge')
  const form = useRef<HTMLFormElement>(null)
  const [lacksReason, setLacksReason] = useState(false)
  const [pendingMerge, setPendingMerge] = useState<{ reason: string; key: string } | null>(null)
  const { from, into, balance, duplicates } = preview
  const ask = () => {
    const reason = readReason(form.current)
    setLacksReason(reason === '')
    if (reason !== '') setPendingMerge({ reason, key: randomId() })
  }
  return (
    <div className="stack">
      <div className="merge__pair">
        <Account title={texts.stays} person={into} />
        <Account title={texts.goes} person={from} />
      </div>
      <p>
        <button type="button" className="button" onClick={onSwap}>
          {texts.swap}
        </button>
      </p>
      <h2>{texts.moves}</h2>
      <dl className="facts-list">
        <div>
          <dt>{texts.rows.balance}</dt>
          <dd>
            <Money amount={balance} />
          </dd>
        </div>
        {COUNTS.filter((name) => preview[name] > 0).map((name) => (
          <div key={name}>
            <dt>{texts.rows[name]}</dt>
            <dd>{preview[name]}</dd>
          </div>
        ))}
      </dl>
      {duplicates.length > 0 && (
        <section className="stack">
          <h2>{texts.duplicates}</h2>
          <p>{texts.duplicatesText}</p>
          <ul className="person__list">
            {duplicates.map(({ id, title, price }) => (
              <li key={id}>
                <span className="person__what">
                  <Words>{title}</Words>
                </span>
                <span className="person__amount">
                  <Money amount={price} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className="alert">{fillText(texts.warning, { email: `\u2066${from.email}\u2069` })}</p>
      <ReasonField texts={texts} form={form} isMissing={lacksReason} />
      <p>
        <button type="button" className="button button--danger" onClick={ask}>
          {texts.submit}
        </button>
      </p>
      {pendingMerge && (
        <ConfirmDialog
          title={texts.confirm}
          submit={texts.submit}
          isDanger
          onConfirm={async () => {
            try {
              await merge(preview, pendingMerge)
            } catch (error) {
              // Another administrator has changed or merged an account: reload the preview.
              if (problemOf(error).status === 409) void previewMerge(into.id, from.id)
              throw error
            }
            onDone()
          }}
          onClose={() => setPendingMerge(null)}
        >
          <p>
            {fillText(texts.confirmText, {
              amount: priceText(locale, balance),
              from: `\u2068${from.name}\u2069`,
              into: `\u2068${into.name}\u2069`,
            })}
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function Account({ title, person }: { title: string; person: Person }) {
  return (
    <section className="merge__account">
      <h2>{title}</h2>
      <p>
        <Words>{person.name}</Words>
      </p>
      <p>
        <bdi dir="ltr" className="person__email soft">
          {person.email}
        </bdi>
      </p>
      <StateOfPerson state={person.state} />
    </section>
  )
}
