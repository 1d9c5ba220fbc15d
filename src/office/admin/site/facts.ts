import * as office from '../../../contract/office-facts.ts'
import { type FactValues, readFacts } from '../../../rules/fact-fields.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'
import { ask } from '../../kit/backend.ts'
import { resource } from '../../kit/loader.ts'

export const officeFacts = resource(office.getOfficeFacts)

export async function saveFacts(
  group: FactGroup,
  revision: number,
  values: FactValues,
): Promise<office.OfficeFacts> {
  const body = { revision, value: readFacts(group, values) }
  const saved = await ask(office.FACT_CALLS[group], { body })
  officeFacts.show(saved)
  return saved
}

export async function uploadLogo(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  const { logo } = await ask(office.uploadLogo, { body: { content: btoa(text) } })
  return logo
}
