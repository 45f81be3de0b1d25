/**
 * The attribute by which copies of what a change put into the page are known: pages write themselves anew from their own HTML, clone what
 * they show, and bring back what they kept, all of it with what is ours. Its value says whose it is: the campaign's id, and which of its
 * changes.
 */

export const MARK = "data-experimentation";
