import { useFieldTable } from '../../kit/forms/field-table.tsx'
import './canned.css'
import { type SubmitEvent, useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { dirOf } from '../../../i18n/locales.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_PLACEHOLDERS,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
  inLanguageOrArabic,
} from '../../../rules/canned-answers.ts'
import { DEFAULT_LANGUAGE, inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { previewText } from '../../../rules/preview-text.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { addCannedAnswer, type CannedAnswer, cannedAnswers, changeCannedAnswer } from './later.ts'

interface CannedProps {
  customer: Conversation['customer']
  onChoose: (text: string) => void
}

export function Canned({ customer, onChoose }: CannedProps) {
  const texts = useTexts('office-conversations:canned')
  const [isManaging, setManaging] = useState(false)
  const [edited, setEdited] = useState<CannedAnswer | 'new' | null>(null)
  if (edited) {
    return (
      <CannedForm
        answer={edited === 'new' ? null : edited}
        onClose={() => {
          setEdited(null)
          setManaging(true)
        }}
      />
    )
  }
  return (
    <div className="stack">
      {!isManaging && <p className="soft">{texts.text}</p>}
      <LoadedStore
        from={cannedAnswers}
        texts={{ loading: texts.loading, failed: { title: texts.failed, retry: texts.retry } }}
        shapes={['button', 'button', 'button']}
      >
        {(all) => {
          const shown = isManaging ? all : all.filter(({ isRetired }) => !isRetired)
          if (shown.length === 0) return <p>{texts.none}</p>
          return (
            <ul className="canned">
              {shown.map((answer) => (
                <li key={answer.id}>
                  {isManaging ? (
                    <Managed answer={answer} onEdit={() => setEdited(answer)} />
                  ) : (
                    <Choice answer={answer} customer={customer} onChoose={onChoose} />
                  )}
                </li>
              ))}
            </ul>
          )
        }}
      </LoadedStore>
      <p className="cluster">
        <Button onClick={() => setEdited('new')}>{texts.add}</Button>
        <Button onClick={() => setManaging(!isManaging)}>
          {isManaging ? texts.back : texts.manage}
        </Button>
      </p>
    </div>
  )
}

interface ChoiceProps extends CannedProps {
  answer: CannedAnswer
}

function Choice({ answer, customer, onChoose }: ChoiceProps) {
  const locale = useLocale()
  const { language, firstName } = customer
  const text = fillText(inLanguageOrArabic(answer.text, language), { name: firstName })
  return (
    <button
      type="button"
      className="canned__choice stack gap-1 touch"
      onClick={() => onChoose(text)}
    >
      <strong className="along" dir="auto">
        {inLanguageOrArabic(answer.name, locale)}
      </strong>
      <span className="soft small along" dir="auto">
        {previewText(text.replace(/\s+/g, ' '), 90)}
      </span>
    </button>
  )
}

function Managed({ answer, onEdit }: { answer: CannedAnswer; onEdit: () => void }) {
  const locale = useLocale()
  const texts = useTexts('office-conversations:canned')
  const { alert, attempt, isBusy } = useAction()
  const retire = () => attempt(() => changeCannedAnswer(answer, { isRetired: !answer.isRetired }))
  const name = inLanguageOrArabic(answer.name, locale)
  return (
    <div className="canned__managed cluster">
      <span className="canned__name along" dir="auto">
        {name}
      </span>
      {answer.isRetired && <span className="soft small">{texts.retired}</span>}
      <Button onClick={onEdit}>
        {texts.edit} <span className="visually-hidden">{name}</span>
      </Button>
      <Button isBusy={isBusy} onClick={retire}>
        {answer.isRetired ? texts.restore : texts.retire}{' '}
        <span className="visually-hidden">{name}</span>
      </Button>
      {alert}
    </div>
  )
}

interface CannedFormProps {
  /** The answer to change; null for a new one. */
  answer: CannedAnswer | null
  onClose: () => void
}

function CannedForm({ answer, onClose }: CannedFormProps) {
  const texts = useTexts('office-conversations:canned')
  const { alert, attempt, isBusy } = useAction()
  const placeholder = { placeholder: `\u2066{{${CANNED_PLACEHOLDERS[0]}}}\u2069` }

  const table = useFieldTable(
    LANGUAGES.flatMap((each) => {
      const inLanguage = { lang: each, dir: dirOf(each) }
      const check = (text: string) =>
        each === DEFAULT_LANGUAGE && text === '' ? texts.required : undefined
      return [
        {
          ...inLanguage,
          name: `name.${each}` as const,
          label: texts.name[each],
          maxLength: CANNED_NAME_MAX_LENGTH,
          initial: answer?.name[each] ?? '',
          check,
        },
        {
          ...inLanguage,
          name: `text.${each}` as const,
          label: texts.answer[each],
          rows: 3,
          maxLength: CANNED_TEXT_MAX_LENGTH,
          initial: answer?.text[each] ?? '',
          check: (text: string) =>
            hasKnownPlaceholders(text) ? check(text) : fillText(texts.placeholder, placeholder),
        },
      ]
    }),
  )
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const textsIn = (what: 'name' | 'text') =>
      inEachLanguage((each) => table.values[`${what}.${each}`])
    if (!table.check()) return
    return attempt(async () => {
      const form = { name: textsIn('name'), text: textsIn('text') }
      await (answer ? changeCannedAnswer(answer, form) : addCannedAnswer(form))
      onClose()
    })
  }
  return (
    <form className="stack" method="post" noValidate onSubmit={save}>
      <h3>{answer ? texts.editTitle : texts.newTitle}</h3>
      <p className="soft small">{fillText(texts.hint, placeholder)}</p>
      {table.view}
      {alert}
      <p className="cluster">
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {texts.save}
        </Button>
        <Button disabled={isBusy} onClick={onClose}>
          {texts.back}
        </Button>
      </p>
    </form>
  )
}
