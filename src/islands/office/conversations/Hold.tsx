import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { Conversation } from '../../../contract/office-conversations.ts'
import { fillText } from '../../../i18n/format.ts'
import { close, handBack, take } from '../../../stores/office/conversations/open.ts'
import { $officeSession } from '../../../stores/office/session.ts'
import { type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { ErrorAlert } from '../../parts/ErrorAlert.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { useProblemText } from '../parts/use-problem-text.ts'
import { useTexts } from './texts.ts'

type Asked = 'takeOver' | 'handBack' | 'close'

const CALLS = { takeOver: take, handBack, close } as const

/** Who has taken the conversation, and what can be done about that. */
export function Hold({ conversation }: { conversation: Conversation }) {
  const texts = useTexts('office-conversations:open')
  const problemText = useProblemText()
  const session = useStore($officeSession)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [done, setDone] = useState('')
  const [problem, setProblem] = useState<Problem | null>(null)
  const { isShared, takenBy, waitingSince } = conversation
  const isMine = takenBy !== null && takenBy.id === session?.userId
  const isOthers = takenBy !== null && !isMine
  const holder = { name: `\u2068${takenBy?.name ?? ''}\u2069` }

  const ask = (what: Asked) => {
    setProblem(null)
    setDone('')
    setAsked(what)
  }
  const takeIt = async () => {
    setProblem(null)
    setDone('')
    try {
      await take(conversation)
      setDone(texts.done.take)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }
  const standing = () => {
    if (!isShared) return texts.own
    if (isMine) return texts.yours
    return isOthers ? fillText(texts.others, holder) : texts.free
  }
  return (
    <div className="inbox__hold">
      <p className="small">{standing()}</p>
      <div className="cluster">
        {isShared && takenBy === null && (
          <button type="button" className="button" onClick={takeIt}>
            {texts.take}
          </button>
        )}
        {isOthers && (
          <button type="button" className="button" onClick={() => ask('takeOver')}>
            {texts.takeOver}
          </button>
        )}
        {isMine && (
          <button type="button" className="button" onClick={() => ask('handBack')}>
            {texts.handBack}
          </button>
        )}
        {waitingSince && !isOthers && (
          <button type="button" className="button" onClick={() => ask('close')}>
            {texts.close}
          </button>
        )}
      </div>
      {problem && <ErrorAlert text={problemText(problem)} />}
      <p className="visually-hidden" role="status">
        {done}
      </p>
      {asked && (
        <ConfirmDialog
          title={fillText(texts[`${asked}Title`], holder)}
          submit={texts[asked]}
          onConfirm={async () => {
            await CALLS[asked](conversation)
            setDone(texts.done[asked === 'takeOver' ? 'take' : asked])
          }}
          onClose={() => setAsked(null)}
        >
          <p>{fillText(texts[`${asked}Text`], holder)}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
