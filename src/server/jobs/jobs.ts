// The public interface of jobs: the rest of the server imports only this file.

export { installJobs } from './boss.ts'
export { type Handler, JobFailed, type ListedJob, type WaitingJob } from './job.ts'
export { type Jobs, openJobs } from './open-jobs.ts'
export { SCHEMA, URGENT } from './queues.ts'
