import './receipts.css'
import '../../../islands/parts/dialog.css'
import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Transfer } from '../../../contract/office-transfers.ts'
import * as transfers from '../../../contract/office-transfers.ts'
import type { ReceiptPhoto } from '../../../contract/receipt-photos.ts'
import { fillText } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Dialog } from '../../../islands/parts/Dialog.tsx'
import { useTexts } from '../../../islands/parts/island.tsx'
import { ReceiptPicture } from '../../../islands/parts/ReceiptPicture.tsx'
import { LoadState } from '../../../islands/parts/States.tsx'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { shownReference } from '../../../stores/shared/references.ts'
import { ask } from '../../kit/backend.ts'
import { resourceFor } from '../../kit/loader.ts'
import { Money, Reference } from '../../kit/tables/cells.tsx'

const photosOf = resourceFor(transfers.listTransferPhotos, (paymentRef: string) => ({
  params: { paymentRef },
}))

const readPhoto = async (id: number): Promise<Blob> =>
  (await ask(transfers.getTransferPhoto, { params: { id } })) as Blob

interface Props {
  transfer: Transfer
  /** The buttons that decide about the transfer. */
  foot: React.ReactNode
  onClose: () => void
}

/** The photos of a transfer's receipt, beside what they are to prove. */
export function Receipts({ transfer, foot, onClose }: Props) {
  const { photos: texts } = useTexts('office-money:transfers')
  const { close } = useTexts('office:confirm')
  const state = useStore(photosOf.$state, { ssr: notLoaded })
  const { paymentRef, payer, amount } = transfer
  const load = () => photosOf.load(paymentRef)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is of this transfer
  useEffect(() => void load(), [paymentRef])
  return (
    <Dialog title={texts.title} closeText={close} onClose={onClose} foot={foot} isWide>
      <p className="cluster">
        <strong>
          <Money amount={amount} />
        </strong>
        <bdi>{payer.name}</bdi>
        <Reference>{shownReference(paymentRef)}</Reference>
      </p>
      <LoadState
        state={state}
        loading={{ text: texts.loading, shapes: ['line', 'line'] }}
        failed={texts.failed}
        onRetry={load}
      >
        {(photos) =>
          photos.length === 0 ? (
            <p className="soft">{texts.none}</p>
          ) : (
            photos.map((photo, at) => <Zoomed key={photo.id} photo={photo} number={at + 1} />)
          )
        }
      </LoadState>
    </Dialog>
  )
}

/** By how much a photo is enlarged: the first is as wide as its frame. */
const ZOOMS = [1, 1.5, 2, 3, 4] as const

function Zoomed({ photo, number }: { photo: ReceiptPhoto; number: number }) {
  const { photos: texts } = useTexts('office-money:transfers')
  const [at, setAt] = useState(0)
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = frame
    if (current) enlarge(current, ZOOMS[at] ?? 1)
  }, [at])
  const move = (by: number) => setAt(Math.min(Math.max(at + by, 0), ZOOMS.length - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { '+': 1, '=': 1, '-': -1, '0': -ZOOMS.length }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    move(by)
  }
  const name = fillText(texts.photo, { number })
  return (
    <section className="stack gap-2" aria-label={name}>
      <div className="cluster">
        <Button
          aria-label={`${name}: ${texts.larger}`}
          disabled={at === ZOOMS.length - 1}
          onClick={() => move(1)}
        >
          {texts.larger}
        </Button>
        <Button
          aria-label={`${name}: ${texts.smaller}`}
          disabled={at === 0}
          onClick={() => move(-1)}
        >
          {texts.smaller}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys repeat the buttons above, and move what is shown */}
      <div
        ref={frame}
        className="receipt-frame"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <ReceiptPicture photo={photo} read={readPhoto} alt={name} texts={texts} />
      </div>
    </section>
  )
}

/** Shows the photo in this size, and keeps what is in the middle of its frame there. */
function enlarge(frame: HTMLElement, zoom: number): void {
  const middle = (at: number, shown: number, whole: number) => (at + shown / 2) / whole
  // From right to left, browsers count leftwards, below 0.
  const side = document.dir === 'rtl' ? -1 : 1
  const across = middle(side * frame.scrollLeft, frame.clientWidth, frame.scrollWidth)
  const down = middle(frame.scrollTop, frame.clientHeight, frame.scrollHeight)
  frame.style.setProperty('--zoom', String(zoom))
  frame.scrollLeft = side * (across * frame.scrollWidth - frame.clientWidth / 2)
  frame.scrollTop = down * frame.scrollHeight - frame.clientHeight / 2
}
