import './joining.css'
import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { $joining, loadJoining } from '../../../stores/office/joining.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts } from '../../parts/island.tsx'
import { EmptyState, LoadState } from '../../parts/States.tsx'
import { Done, useDone } from '../parts/Done.tsx'
import { MailNote } from '../parts/MailNote.tsx'
import { Request } from './Request.tsx'

const { island, useTexts } = islandTexts(
  'office-review:joining',
  'office-notices:folder',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

const OUTLINES = ['line', 'button', 'line', 'button'] as const

/** The requests of teachers who want to join, the longest waiting first. */
function Joining() {
  const texts = useTexts('office-review:joining')
  const joining = useStore($joining, { ssr: notLoaded })
  const [done, setDone] = useDone()
  useEffect(() => void loadJoining(), [])
  return (
    <>
      <Done text={done} />
      <MailNote />
      <LoadState
        state={joining}
        loading={{ text: texts.loading, shapes: OUTLINES }}
        failed={texts.failed}
        onRetry={loadJoining}
      >
        {({ requests, total }) =>
          requests.length === 0 ? (
            <EmptyState {...texts.empty} />
          ) : (
            <>
              {total > requests.length && (
                <p className="soft">{fillText(texts.more, { shown: requests.length, total })}</p>
              )}
              <ol className="joining">
                {requests.map((request) => (
                  <Request key={request.id} request={request} onDone={setDone} />
                ))}
              </ol>
            </>
          )
        }
      </LoadState>
    </>
  )
}

export default island(Joining)
