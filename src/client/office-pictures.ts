/** Whether two pictures are the same to the byte; false if one of them cannot be read. */
export async function isSamePicture(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([bytesOf(one), bytesOf(other)])
  if (!left || !right || left.length !== right.length) return false
  return left.every((byte, at) => byte === right[at])
}

async function bytesOf(address: string): Promise<Uint8Array | null> {
  const answer = await fetch(address).catch(() => null)
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null
}
