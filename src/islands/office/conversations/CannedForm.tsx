import { type SubmitEvent, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { dirOf } from '../../../i18n/locales.ts'
import {
  CANNED_NAME_MAX_LENGTH,
  CANNED_PLACEHOLDERS,
  CANNED_TEXT_MAX_LENGTH,
  hasKnownPlaceholders,
} from '../../../rules/canned-answers.ts'
import { DEFAULT_LANGUAGE, inEachLanguage, LANGUAGES } from '../../../rules/languages.ts'
import { type CannedAnswer, saveCannedAnswer } from '../../../stores/office/conversations/canned.ts'
import { Field } from '../../parts/Field.tsx'
import { useTexts } from '../../parts/island.tsx'
import { TextField } from '../parts/fields.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'

interface Props {
  /** The answer to change; null for a new one. */
  answer: CannedAnswer | null
  onClose: () => void
}

/** The form for a canned answer's name and text in each language. */
export function CannedForm({ answer, onClose }: Props) {
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
        <button type="submit" className="button button--primary" aria-busy={isBusy}>
          {texts.save}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={onClose}>
          {texts.back}
        </button>
      </p>
    </form>
  )
}
