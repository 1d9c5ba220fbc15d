import { officeTexts } from '../../kit/office-texts.ts'

export const { island, useTexts } = officeTexts(
  'office-import:page',
  'office-import:steps',
  'office-import:download',
  'office-import:choose',
  'office-import:phases',
  'office-import:refused',
  'office-import:notes',
  'office-import:ready',
  'office-import:done',
  'office-import:broken',
  'office-import:problems',
  'office:upload',
)
