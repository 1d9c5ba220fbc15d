import './receipt-photos.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import { fillText, isolate } from '../../i18n/format.ts'
import { RECEIPT_PHOTOS_MAX } from '../../rules/receipt-photos.ts'
import { UPLOAD_MAX_BYTES } from '../../rules/uploads.ts'
import {
  createReceiptPhotos,
  type ReceiptPhoto,
  readReceiptPhoto,
} from '../../stores/payment/receipt-photos.ts'
import { $session } from '../../stores/session/session.ts'
import { notLoaded } from '../../stores/shared/loader.ts'
import { Button } from '../parts/Button.tsx'
import { problemText, useErrorTexts } from '../parts/error-texts.ts'
import { islandTexts, useLocale } from '../parts/island.tsx'
import { ErrorAlert, Message } from '../parts/Message.tsx'
import { ReceiptPicture } from '../parts/ReceiptPicture.tsx'
import { LoadState, Skeleton } from '../parts/States.tsx'
import { ChooseFile, isUnderWay, UploadProgress } from '../parts/Upload.tsx'
import { useHydrated } from '../parts/use-hydrated.ts'

const { island, useTexts } = islandTexts('payment:photos', 'payment:upload', 'errors:codes')

type Photos = ReturnType<typeof createReceiptPhotos>

const noSession = () => null
const LOADING = ['line', 'button'] as const

/**
 * The photos of the receipt on the page of a payment that waits. Anybody with the reference sees
 * that page, but its payer alone, logged in, the photos.
 */
function ReceiptPhotos({ paymentRef }: { paymentRef: string }) {
  const locale = useLocale()
  const texts = useTexts('payment:photos')
  const isHydrated = useHydrated()
  const session = useStore($session, { ssr: noSession })
  const [photos] = useState(() => createReceiptPhotos(paymentRef))
  const state = useStore(photos.$photos, { ssr: notLoaded })
  const userId = session?.userId
  useEffect(() => {
    if (userId !== undefined) void photos.load()
  }, [userId, photos])

  const loading = { text: texts.loading, shapes: LOADING }
  const isOthers = state.phase === 'failed' && state.problem.code === 'payment_not_found'
  if (isHydrated && (!session || isOthers)) {
    return (
      <>
        <p>{session ? texts.notYours : texts.logIn}</p>
        <p>
          <a className="button" href={accountAddress(locale)}>
            {texts.logInButton}
          </a>
        </p>
      </>
    )
  }
  if (!isHydrated) return <Skeleton {...loading} />
  return (
    <>
      <p>{texts.text}</p>
      <LoadState state={state} loading={loading} failed={texts.failed} onRetry={photos.load}>
        {(value) => <PhotosOfPayer {...value} of={photos} />}
      </LoadState>
    </>
  )
}

interface OfPayerProps {
  photos: readonly ReceiptPhoto[]
  isWaiting: boolean
  of: Photos
}

function PhotosOfPayer({ photos, isWaiting, of }: OfPayerProps) {
  const texts = useTexts('payment:photos')
  const errors = useErrorTexts()
  const removing = useStore(of.$removing)
  const [isRemoved, setRemoved] = useState(false)
  const problem = removing !== null && typeof removing === 'object' ? removing : null
  return (
    <>
      {photos.length > 0 && (
        <ol className="receipt-photos">
          {photos.map((photo, at) => {
            const number = at + 1
            return (
              <li key={photo.id}>
                <ReceiptPicture
                  photo={photo}
                  read={readReceiptPhoto}
                  alt={fillText(texts.photo, { number })}
                  texts={texts}
                />
                {isWaiting && (
                  <Button
                    kind="plain"
                    aria-label={fillText(texts.removeOne, { number })}
                    isBusy={removing === photo.id}
                    onClick={async () => {
                      setRemoved(false)
                      setRemoved(await of.remove(photo.id))
                    }}
                  >
                    {texts.remove}
                  </Button>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {problem && <ErrorAlert text={problemText(problem, errors)} />}
      {isRemoved && <Message kind="success" text={texts.removed} />}
      {isWaiting ? (
        <PhotoField
          count={photos.length}
          upload={of.upload}
          isRemoved={isRemoved}
          onChoice={() => setRemoved(false)}
        />
      ) : (
        <p className="soft">{texts.ended}</p>
      )}
    </>
  )
}

interface FieldProps {
  /** How many photos are there. */
  count: number
  upload: Photos['upload']
  /** Whether one of them was removed after the last was sent. */
  isRemoved: boolean
  onChoice: () => void
}

function PhotoField({ count, upload, isRemoved, onChoice }: FieldProps) {
  const texts = useTexts('payment:photos')
  const progress = useTexts('payment:upload')
  const errors = useErrorTexts()
  const state = useStore(upload.$state)
  const [isTooLarge, setTooLarge] = useState(false)
  useEffect(() => upload.open(), [upload])

  const choose = (file: File | undefined) => {
    if (!file) return
    onChoice()
    const isRefused = file.size > UPLOAD_MAX_BYTES.receipt
    setTooLarge(isRefused)
    if (!isRefused) upload.choose(file)
  }
  if (isUnderWay(state)) return <UploadProgress upload={upload} state={state} texts={progress} />
  return (
    <>
      {isTooLarge ? (
        <ErrorAlert text={errors.photo_too_large} />
      ) : (
        <>
          {state.phase === 'done' && !isRemoved && <Message kind="success" text={texts.added} />}
          {state.phase === 'failed' && (
            <ErrorAlert text={`${isolate(state.name)}: ${problemText(state.problem, errors)}`} />
          )}
          {state.phase === 'file-missing' && (
            <ErrorAlert text={fillText(texts.chooseAgain, { name: isolate(state.name) })} />
          )}
        </>
      )}
      {count >= RECEIPT_PHOTOS_MAX ? (
        <p className="soft">{texts.full}</p>
      ) : (
        <>
          <p>
            <ChooseFile accept="image/*" onChoose={([file]) => choose(file)}>
              {texts.add}
            </ChooseFile>
          </p>
          <p className="small soft">{texts.hint}</p>
        </>
      )}
    </>
  )
}

export default island(ReceiptPhotos)
