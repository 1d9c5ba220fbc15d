// The face of jobs: the rest of the server uses only this.

export { installJobs } from './boss.ts'
export { coalesce } from './coalesce.ts'
export { type Handler, JobFailed, type ListedJob, type WaitingJob } from './job.ts'
export { type Jobs, openJobs } from './open-jobs.ts'
export { SCHEMA, URGENT } from './queues.ts'
