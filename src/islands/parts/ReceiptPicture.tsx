import './receipt-picture.css'
import { useEffect, useState } from 'react'
import type { ReceiptPhoto } from '../../contract/receipt-photos.ts'
import { Button } from './Button.tsx'

interface Props {
  photo: ReceiptPhoto
  /** Reads the picture, which only a call with a token answers. */
  read: (id: number) => Promise<Blob>
  alt: string
  texts: { unseen: string; again: string }
}

/** A photo of a receipt, in the place that it needs from the beginning. */
export function ReceiptPicture({ photo, read, alt, texts }: Props) {
  const { id, width, height } = photo
  const [shown, setShown] = useState<string | 'failed' | null>(null)
  const [tries, setTries] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` asks for it again
  useEffect(() => {
    let address = ''
    let isLeft = false
    read(id)
      .then((picture) => {
        if (isLeft) return
        address = URL.createObjectURL(picture)
        setShown(address)
      })
      .catch(() => isLeft || setShown('failed'))
    return () => {
      isLeft = true
      URL.revokeObjectURL(address)
    }
  }, [id, read, tries])

  if (shown === 'failed') {
    return (
      <div className="receipt-picture__failed" role="status">
        <p>{texts.unseen}</p>
        <Button
          onClick={() => {
            setShown(null)
            setTries(tries + 1)
          }}
        >
          {texts.again}
        </Button>
      </div>
    )
  }
  return (
    <img
      className={shown ? 'receipt-picture' : 'receipt-picture skeleton'}
      // A picture of nothing, so that no broken one shows while it loads.
      src={shown ?? 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='}
      alt={alt}
      width={width}
      height={height}
    />
  )
}
