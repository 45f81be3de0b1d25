/** The event that Google Analytics 4 asks tools like this one to send; experienceOf.ts has its parameters. */

export const EXPERIENCE_EVENT = "experience_impression";
