import { fitsCategory } from './document-fields.ts'

interface Paper {
  readonly categorie: { readonly code?: string | null | undefined }
  readonly correctionOf?: number | null | undefined
}

/** Whether an exam can be sat with the sample of a document: it is a paper, and no correction. */
export const canSitSample = (
  { categorie, correctionOf }: Paper,
  pages: readonly unknown[],
): boolean => fitsCategory('paperKind', categorie.code ?? null) && !correctionOf && pages.length > 0

/** Where the correction of a paper is that is sat with its sample, in which it never is. */
export const correctionAfter = ({
  correctionPage,
  hasCorrection,
}: {
  readonly correctionPage?: number | null | undefined
  readonly hasCorrection?: boolean | undefined
}): 'inside' | 'apart' | 'none' => (correctionPage ? 'inside' : hasCorrection ? 'apart' : 'none')
