import { useFieldTable } from '../../kit/forms/field-table.tsx'
import { useQuestions, useReason } from '../../kit/forms/questions.tsx'
import { SearchForm } from '../../kit/tables/SearchForm.tsx'
import { StateOfPerson } from './StateOfPerson.tsx'
import './people.css'
import '../../../islands/parts/choices.css'
import '../../../parts/facts.css'
import { useStore } from '@nanostores/react'
import { useEffect, useId, useState } from 'react'
import {
  ACCOUNT_REASON_MAX_LENGTH,
  type MergePreview,
  type Person,
} from '../../../contract/office-people.ts'
import { formatDate } from '../../../i18n/dates.ts'
import { fillText, isolate, priceText } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Message } from '../../../islands/parts/Message.tsx'
import { ErrorState, LoadState, Skeleton } from '../../../islands/parts/States.tsx'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { idInAddress } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Money, Words } from '../../kit/tables/cells.tsx'
import { $found, $merge, findOther, loadMerge, merge } from './people.ts'

const { island, useTexts } = adminTexts(
  'office-people:merge',
  'office-people:states',
  'office-acts:waits',
  'office:confirm',
)

const OUTLINES = ['button', 'button', 'line'] as const

function Merge() {
  const texts = useTexts('office-people:merge')
  const state = useStore($merge, { ssr: notLoaded })
  const [pair, setPair] = useState<{ into: number | null; from?: number | null } | null>(null)
  const waits = useTexts('office-acts:waits')
  const [merged, setMerged] = useState<{ into: Person; isWaiting: boolean } | null>(null)
  useEffect(() => {
    setPair({ into: idInAddress(), from: idInAddress('from') })
  }, [])
  const { into, from } = pair ?? {}
  useEffect(() => {
    if (into && from) void loadMerge({ into, from })
  }, [into, from])
  if (pair === null) return <Skeleton text={texts.loading} shapes={OUTLINES} />
  if (!into) {
    return (
      <ErrorState text={texts.nobodyNamed}>
        <ButtonLink kind="primary" to="/office/people">
          {texts.people}
        </ButtonLink>
      </ErrorState>
    )
  }
  if (merged) {
    return (
      <div className="stack">
        <Message kind="success" text={merged.isWaiting ? waits.text : texts.done} />
        <p>
          <ButtonLink kind="primary" to={`/office/person?id=${merged.into.id}`}>
            {texts.open}
          </ButtonLink>
        </p>
      </div>
    )
  }
  if (!from) return <ChooseOther intoId={into} onChoose={(id) => setPair({ into, from: id })} />
  return (
    <>
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={() => void loadMerge({ into, from })}
      >
        {(preview) => (
          <MergeForm
            preview={preview}
            onSwap={() => setPair({ into: from, from: into })}
            onDone={(isWaiting) => setMerged({ into: preview.into, isWaiting })}
          />
        )}
      </LoadState>
      <p>
        <Button kind="plain" onClick={() => setPair({ into })}>
          {texts.other}
        </Button>
      </p>
    </>
  )
}

const ACCOUNT_OUTLINES = ['button', 'button'] as const

function ChooseOther({ intoId, onChoose }: { intoId: number; onChoose: (id: number) => void }) {
  const locale = useLocale()
  const texts = useTexts('office-people:merge')
  const found = useStore($found, { ssr: notLoaded })
  const [q, setQ] = useState('')
  const search = (text: string) => {
    setQ(text)
    void findOther(text, intoId)
  }
  return (
    <>
      <SearchForm label={texts.search} submit={texts.find} onSearch={search} />
      {found.phase !== 'idle' && (
        <LoadState
          state={found}
          loading={{ text: texts.loading, shapes: ACCOUNT_OUTLINES }}
          failed={texts.failed}
          onRetry={() => search(q)}
        >
          {(people) =>
            people.length === 0 ? (
              <p role="status">{texts.nobody}</p>
            ) : (
              <ul className="person__list">
                {people.map((person) => (
                  <li key={person.id}>
                    <span className="person__what">
                      <Words>{person.name}</Words>{' '}
                      <bdi dir="ltr" className="soft">
                        {person.email ?? person.phone}
                      </bdi>
                    </span>
                    <StateOfPerson state={person.state} />
                    <Button
                      aria-label={labelled(locale, texts.choose, person.name)}
                      onClick={() => onChoose(person.id)}
                    >
                      {texts.choose}
                    </Button>
                  </li>
                ))}
              </ul>
            )
          }
        </LoadState>
      )}
    </>
  )
}

interface MergeFormProps {
  preview: MergePreview
  onSwap: () => void
  onDone: (isWaiting: boolean) => void
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

function MergeForm({ preview, onSwap, onDone }: MergeFormProps) {
  const locale = useLocale()
  const texts = useTexts('office-people:merge')
  const { ask, dialog } = useQuestions()
  const table = useFieldTable([useReason()(ACCOUNT_REASON_MAX_LENGTH, { hint: undefined })])
  const [endsDeletions, setEndsDeletions] = useState(false)
  const [lacksEnd, setLacksEnd] = useState(false)
  const endId = useId()
  const { from, into, balance, deletions, duplicates } = preview
  const confirm = () => {
    const mustEnd = deletions.length > 0 && !endsDeletions
    const isReasoned = table.check()
    setLacksEnd(mustEnd)
    if (mustEnd) document.getElementById(endId)?.focus()
    if (mustEnd || !isReasoned) return
    ask({
      title: texts.confirm,
      submit: texts.submit,
      isDanger: true,
      text: fillText(texts.confirmText, {
        amount: priceText(locale, balance),
        from: isolate(from.name),
        into: isolate(into.name),
      }),
      send: async (_, key) => onDone(await merge(preview, { ...table.values, key })),
    })
  }
  return (
    <div className="stack">
      <div className="merge__pair">
        <Account title={texts.stays} person={into} />
        <Account title={texts.goes} person={from} />
      </div>
      <p>
        <Button onClick={onSwap}>{texts.swap}</Button>
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
      {deletions.length > 0 && (
        <section className="stack">
          <h2>{texts.deletions.title}</h2>
          {deletions.map(({ id, dueAt }) => (
            <p key={id}>
              {fillText(texts.deletions.text, {
                name: isolate((id === from.id ? from : into).name),
                date: formatDate(locale, dueAt),
              })}
            </p>
          ))}
          <div className="field">
            <label className="choice">
              <input
                id={endId}
                type="checkbox"
                checked={endsDeletions}
                aria-invalid={lacksEnd}
                aria-describedby={lacksEnd ? `${endId}-error` : undefined}
                onChange={(event) => setEndsDeletions(event.currentTarget.checked)}
              />
              {texts.deletions.box}
            </label>
            {lacksEnd && (
              <p id={`${endId}-error`} className="field__error">
                {texts.deletions.missing}
              </p>
            )}
          </div>
        </section>
      )}
      <p className="alert">
        {fillText(texts.warning, { email: `\u2066${from.email ?? from.phone}\u2069` })}
      </p>
      {table.view}
      <p>
        <Button kind="danger" onClick={confirm}>
          {texts.submit}
        </Button>
      </p>
      {dialog}
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
          {person.email ?? person.phone}
        </bdi>
      </p>
      <StateOfPerson state={person.state} />
    </section>
  )
}

export default island(Merge)
