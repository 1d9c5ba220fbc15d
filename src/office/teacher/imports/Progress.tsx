import { Message } from '../../../islands/parts/Message.tsx'
import '../../../islands/parts/dialog.css'
import { useEffect, useState } from 'react'
import type { Import } from '../../../contract/office-imports.ts'
import { fillText } from '../../../i18n/format.ts'
import { Dialog } from '../../../islands/parts/Dialog.tsx'
import { Button } from '../../kit/Button.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { giveUpImport, watchImport } from './import.ts'
import { useTexts } from './texts.ts'

export function Progress({ last }: { last: Import }) {
  const texts = useTexts('office-import:phases')
  const [isStopOpen, setStopOpen] = useState(false)
  useEffect(watchImport, [])
  const { step, done, total, name, isBegunAnew } = last
  return (
    <section className="stack import__progress">
      <p className="along" dir="auto">
        {name}
      </p>
      <p role="status">
        <strong>{step ? texts[step] : texts.waiting}</strong>
      </p>
      <progress
        className="upload__bar"
        aria-label={step ? texts[step] : texts.waiting}
        {...(step && { max: Math.max(total, 1), value: done })}
      />
      {step && total > 0 && <p className="soft">{fillText(texts.progress, { done, total })}</p>}
      {isBegunAnew && <Message kind="note" text={texts.begunAnew} />}
      <p className="soft">{texts.leave}</p>
      <div>
        <Button onClick={() => setStopOpen(true)}>{texts.stop}</Button>
      </div>
      {isStopOpen && <Stop id={last.id} onClose={() => setStopOpen(false)} />}
    </section>
  )
}

function Stop({ id, onClose }: { id: string; onClose: () => void }) {
  const texts = useTexts('office-import:phases')
  const { alert, attempt } = useAction()
  return (
    <Dialog
      title={texts.stopTitle}
      closeText={texts.close}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{texts.stopNo}</Button>
          <Button kind="danger" onClick={() => attempt(() => giveUpImport(id))}>
            {texts.stop}
          </Button>
        </>
      }
    >
      {alert}
      <p>{texts.stopText}</p>
    </Dialog>
  )
}
