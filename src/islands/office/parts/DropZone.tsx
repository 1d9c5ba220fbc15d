import './upload-field.css'
import { type ReactNode, useState } from 'react'

interface Props {
  /** Whether dropped files are ignored, such as during an upload. */
  isBusy: boolean
  onDrop: (dropped: DataTransfer) => void
  children: ReactNode
}

/** The frame of a choice of files, onto which files can be dropped as well. */
export function DropZone({ isBusy, onDrop, children }: Props) {
  const [isDraggedOver, setDraggedOver] = useState(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping files is an alternative to the buttons inside
    <div
      className={isDraggedOver ? 'upload upload--over' : 'upload'}
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDraggedOver(false)
        if (!isBusy) onDrop(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
