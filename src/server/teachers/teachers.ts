// The public interface of teachers: the rest of the server imports only this file.

export { setPicture, setPictureFile } from './picture.ts'
export { findProfile, type Profile, presentProfile, textOfProfile } from './profile.ts'
export { saveProfile } from './write.ts'
