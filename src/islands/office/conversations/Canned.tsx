import './canned.css'
import { useStore } from '@nanostores/react'
import { type SubmitEvent, useEffect, useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { dirOf } from '../../../i18n/locales.ts'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_PLACEHOLDERS,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
  inLanguageOrArabic,
} from '../../../rules/canned-answers.ts'
import { DEFAULT_LANGUAGE, inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { previewText } from '../../../rules/preview-text.ts'
import {
  $cannedAnswers,
  type CannedAnswer,
  loadCannedAnswers,
  retireCannedAnswer,
  saveCannedAnswer,
} from '../../../stores/office/conversations/later.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { Field } from '../../parts/Field.tsx'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { Button } from '../parts/Button.tsx'
import { TextField } from '../parts/fields.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'

interface CannedProps {
  customer: Conversation['customer']
  onChoose: (text: string) => void
}

export function Canned({ customer, onChoose }: CannedProps) {
  const texts = useTexts('office-conversations:canned')
  const state = useStore($cannedAnswers, { ssr: notLoaded })
  const [isManaging, setManaging] = useState(false)
  const [edited, setEdited] = useState<CannedAnswer | 'new' | null>(null)
  useEffect(() => void loadCannedAnswers(), [])
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
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: ['button', 'button', 'button'] }}
        failed={{ title: texts.failed, retry: texts.retry }}
        onRetry={loadCannedAnswers}
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
      </LoadState>
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
    <button type="button" className="canned__choice" onClick={() => onChoose(text)}>
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
  const { alert, attempt, isBusy } = useAttempt()
  const retire = () => attempt(() => retireCannedAnswer(answer, !answer.isRetired))
  const name = inLanguageOrArabic(answer.name, locale)
  return (
    <div className="canned__managed">
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

export function CannedForm({ answer, onClose }: CannedFormProps) {
  const texts = useTexts('office-conversations:canned')
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({})
  const { alert, attempt, isBusy } = useAttempt()
  const placeholder = { placeholder: `\u2066{{${CANNED_PLACEHOLDERS[0]}}}\u2069` }

  const save = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const read = (what: string) =>
      inEachLanguage((each) => String(data.get(`${what}.${each}`) ?? '').trim())
    const values = { name: read('name'), text: read('text') }
    const found: Record<string, string> = {}
    for (const [what, text] of Object.entries(values)) {
      if (!text[DEFAULT_LANGUAGE]) found[`${what}.${DEFAULT_LANGUAGE}`] = texts.required
    }
    for (const each of LANGUAGES) {
      if (hasKnownPlaceholders(values.text[each])) continue
      found[`text.${each}`] = fillText(texts.placeholder, placeholder)
    }
    setMistakes(found)
    const [first] = Object.keys(found)
    if (first) {
      form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    await attempt(async () => {
      await saveCannedAnswer(values, answer)
      onClose()
    })
  }
  return (
    <form className="stack" method="post" noValidate onSubmit={save}>
      <h3>{answer ? texts.editTitle : texts.newTitle}</h3>
      <p className="soft small">{fillText(texts.hint, placeholder)}</p>
      {LANGUAGES.map((each) => (
        <fieldset className="canned__language" key={each}>
          <Field
            name={`name.${each}`}
            dir={dirOf(each)}
            lang={each}
            label={texts.name[each]}
            maxLength={CANNED_NAME_MAX_LENGTH}
            defaultValue={answer?.name[each]}
            error={mistakes[`name.${each}`]}
          />
          <TextField
            name={`text.${each}`}
            dir={dirOf(each)}
            lang={each}
            rows={3}
            label={texts.answer[each]}
            maxLength={CANNED_TEXT_MAX_LENGTH}
            defaultValue={answer?.text[each]}
            error={mistakes[`text.${each}`]}
          />
        </fieldset>
      ))}
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
