import { type ComponentProps, useEffect, useState } from 'react'
import { onOverlaysCalled, overlaysFailed } from '../../stores/shared/dialogs.ts'
import Overlays from './Overlays.tsx'

type Props = ComponentProps<typeof Overlays>

const TIMEOUT_MS = 20_000

async function propsFrom(address: string): Promise<Props> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`the overlays' texts: ${answer.status}`)
  return answer.json()
}

/**
 * The overlays, which have more texts than any other island, and which few visits need: their props
 * come from an address of their own, once the page calls them.
 */
export default function CalledOverlays({ address }: { address: string }) {
  const [props, setProps] = useState<Props>()
  useEffect(() => {
    let isRead = false
    const read = async () => {
      if (isRead) return
      isRead = true
      try {
        setProps(await propsFrom(address))
      } catch {
        isRead = false // the next call tries again
        overlaysFailed()
      }
    }
    void read()
    return onOverlaysCalled(read)
  }, [address])
  return props && <Overlays {...props} />
}
