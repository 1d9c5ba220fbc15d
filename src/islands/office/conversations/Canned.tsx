import './canned.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { inLanguageOrArabic } from '../../../rules/canned-answers.ts'
import { previewText } from '../../../rules/preview-text.ts'
import {
  $cannedAnswers,
  type CannedAnswer,
  loadCannedAnswers,
  retireCannedAnswer,
} from '../../../stores/office/conversations/canned.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { useAttempt } from '../parts/use-attempt.tsx'
import { CannedForm } from './CannedForm.tsx'

interface Props {
  /** The recipient of the answer. */
  customer: Conversation['customer']
  onChoose: (text: string) => void
}

/** The canned answers, to choose one or to manage them. */
export function Canned({ customer, onChoose }: Props) {
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
        <button type="button" className="button" onClick={() => setEdited('new')}>
          {texts.add}
        </button>
        <button type="button" className="button" onClick={() => setManaging(!isManaging)}>
          {isManaging ? texts.back : texts.manage}
        </button>
      </p>
    </div>
  )
}

interface ChoiceProps extends Props {
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
  const { alert, attempt } = useAttempt()
  const retire = () => attempt(() => retireCannedAnswer(answer, !answer.isRetired))
  const name = inLanguageOrArabic(answer.name, locale)
  return (
    <div className="canned__managed">
      <span className="canned__name along" dir="auto">
        {name}
      </span>
      {answer.isRetired && <span className="soft small">{texts.retired}</span>}
      <button type="button" className="button" onClick={onEdit}>
        {texts.edit} <span className="visually-hidden">{name}</span>
      </button>
      <button type="button" className="button" onClick={retire}>
        {answer.isRetired ? texts.restore : texts.retire}{' '}
        <span className="visually-hidden">{name}</span>
      </button>
      {alert}
    </div>
  )
}
