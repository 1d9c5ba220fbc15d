import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $stamp, loadStamp, setStamp } from '../../../stores/office/stamp.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'
import { ConfirmDialog } from '../parts/ConfirmDialog.tsx'
import { StateMark } from '../parts/cells.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { Switch } from './Switch.tsx'
import { Troubles } from './Troubles.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'button', 'line', 'line'] as const

/** The switch for stamps on bought PDFs, and the files that could not be stamped or rendered. */
function Stamp() {
  const texts = useTexts('office-stamp:stamp')
  const { dialog, columns } = texts
  const stamp = useStore($stamp, { ssr: notLoaded })
  const [pendingSwitch, setPendingSwitch] = useState<Parameters<typeof setStamp>[0] | null>(null)
  const [done, setDone] = useDone()
  useEffect(() => void loadStamp(), [])
  return (
    <>
      <Done text={done} />
      <LoadState
        state={stamp}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadStamp}
      >
        {(value) => (
          <>
            <Switch
              stamp={value}
              onSwitch={() => {
                setDone('')
                setPendingSwitch({ isOn: !value.isOn, seen: value.seen })
              }}
            />
            <Troubles
              what="unstamped"
              {...value.unstamped}
              column={{
                head: columns.reason,
                isWide: true,
                cell: ({ reason }) => texts.reasons[reason],
              }}
              onDone={setDone}
            />
            <Troubles
              what="undrawn"
              {...value.undrawn}
              column={{
                head: columns.state,
                cell: ({ isTriedAgain }) => (
                  <StateMark
                    kind={isTriedAgain ? 'waiting' : 'bad'}
                    text={isTriedAgain ? texts.undrawn.waiting : texts.undrawn.failed}
                  />
                ),
              }}
              onDone={setDone}
            />
          </>
        )}
      </LoadState>
      {pendingSwitch && (
        <ConfirmDialog
          title={pendingSwitch.isOn ? dialog.onTitle : dialog.offTitle}
          submit={pendingSwitch.isOn ? dialog.on : dialog.off}
          onConfirm={async () => {
            await setStamp(pendingSwitch)
            setDone(pendingSwitch.isOn ? texts.done.on : texts.done.off)
          }}
          onClose={() => setPendingSwitch(null)}
        >
          <p>{pendingSwitch.isOn ? dialog.onText : dialog.offText}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

export default island(Stamp)
