/** The query of the reader's address by which it shows the sample of a paper, to sit an exam with it. */
export const SAMPLE_QUERY = '?sample'
