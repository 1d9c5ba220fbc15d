import { useEffect, useState } from 'react'

export default function Toast() {
  const [isShown, show] = useState(false)
  useEffect(() => show(true), [])
  return isShown ? <p id="toast">toast</p> : null
}
