import { useState } from 'react'
import { Button } from './Button.tsx'

interface Props {
  text: string
  label: string
  /** What the button says when it has copied. */
  copied: string
}

/** Copies a text that is also shown: where the browser forbids it, people select and copy it themselves. */
export function CopyButton({ text, label, copied }: Props) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // The text is beside the button.
    }
  }
  return (
    <Button onClick={copy}>
      <span role="status">{isCopied ? copied : label}</span>
    </Button>
  )
}
