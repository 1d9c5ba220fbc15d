import { useState } from 'react'
import type { InterfaceText } from '../../../contract/office-interface-texts.ts'
import { restoreSiteVersion } from '../../../contract/office-site-versions.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { dirOf, LANGUAGE_NAMES, type Locale } from '../../../i18n/locales.ts'
import { ownTextProblem } from '../../../i18n/text-messages.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { longestInterfaceText, placeholdersIn } from '../../../rules/site-pages.ts'
import { BASIC_MOST, UCS2_MOST } from '../../../rules/sms.ts'
import { ask as call } from '../../kit/backend.ts'
import { TextField } from '../../kit/forms/fields.tsx'
import { useQuestions } from '../../kit/forms/questions.tsx'
import { SaveFoot } from '../../kit/forms/SaveState.tsx'
import { useRevisedForm } from '../../kit/forms/use-office-form.tsx'
import { History } from '../site/History.tsx'
import { useMistakes } from '../site/mistakes.ts'
import { readText, saveText } from './interface-texts.ts'

type TextInLanguage = NonNullable<InterfaceText[Locale]>

interface Props {
  text: InterfaceText
  language: Locale
  onSaved: (text: InterfaceText) => void
}

export function TextForm({ text, language, onSaved }: Props) {
  const texts = useTexts('office-interface-texts:page')
  const translation = text[language]
  if (!translation) {
    return (
      <section className="interface-texts__language stack gap-3">
        <h3>{LANGUAGE_NAMES[language]}</h3>
        <p className="soft">{texts.noForm}</p>
      </section>
    )
  }
  return <Editor text={text} translation={translation} language={language} onSaved={onSaved} />
}

function Editor({ text, translation, language, onSaved }: Props & { translation: TextInLanguage }) {
  const { key } = text
  const texts = useTexts('office-interface-texts:page')
  const sentence = useMistakes()
  const subject = `text ${language} ${key}` as const
  const { ask, dialog } = useQuestions()
  const { shipped, own, isIgnored, revision } = translation
  const [initial] = useState(() => ({ text: own ?? shipped }))
  const names = placeholdersIn(shipped).map((name) => isolate(`{{${name}}}`))
  const placeholderMistake =
    names.length > 0 ? fillText(texts.mustFill, { names: names.join(' ') }) : texts.mustNotFill
  const label = () => LANGUAGE_NAMES[language]
  const form = useRevisedForm<'text'>({
    fields: ['text'],
    initial,
    keepAs: subject,
    revision,
    check: (values) => {
      const problem = ownTextProblem({ key, locale: language }, shipped, values.text.trim())
      return problem ? { text: problem } : {}
    },
    async save(base, values) {
      const saved = await saveText(key, language, base, values.text ?? '')
      onSaved(saved)
      return saved[language]?.revision ?? base
    },
    async read() {
      const now = (await readText(key))[language]
      return { revision: now?.revision ?? 0, values: { text: now?.own ?? now?.shipped ?? '' } }
    },
    sentence: (field, mistake) => {
      if (mistake === 'maxLength' && key.startsWith('sms:')) {
        return fillText(texts.message, { gsm: BASIC_MOST, other: UCS2_MOST })
      }
      return mistake === 'placeholder' ? placeholderMistake : sentence(field, mistake)
    },
    label,
    conflictTexts: useTexts('office-site:conflict'),
  })
  const isGone = shipped === ''
  const reset = () =>
    ask({
      title: texts.reset,
      submit: texts.reset,
      about: <p>{isGone ? texts.takeAway : <bdi lang={language}>{shipped}</bdi>}</p>,
      send: async () => {
        await call(restoreSiteVersion, { body: { subject, revision: form.revision(), to: 0 } })
        form.discard()
      },
    })
  return (
    <section className="interface-texts__language stack gap-3">
      <h3>{LANGUAGE_NAMES[language]}</h3>
      {isIgnored && <p className="alert alert--error">{isGone ? texts.gone : texts.unfit}</p>}
      {!isGone && (
        <p className="interface-texts__shipped stack items-start gap-0">
          <span className="soft small">{texts.shipped}</span>
          <bdi lang={language}>{shipped}</bdi>
        </p>
      )}
      {form.notices}
      {!isGone && (
        <form {...form.formProps} className="stack">
          <TextField
            {...form.fieldOf('text')}
            label={texts.own}
            lang={language}
            dir={dirOf(language)}
            rows={Math.min(8, 2 + Math.floor(shipped.length / 60))}
            maxLength={longestInterfaceText(shipped)}
            {...(names.length > 0 && {
              hint: fillText(texts.placeholders, { names: names.join(' ') }),
            })}
          />
          <SaveFoot form={form} submit={texts.save} />
        </form>
      )}
      {own !== null && (
        <Button kind="plain" onClick={reset}>
          {texts.reset}
        </Button>
      )}
      {dialog}
      <History subject={subject} revision={form.revision()} label={label} />
    </section>
  )
}
