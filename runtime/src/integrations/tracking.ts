/** Whether the page asked for silence: `push({type: "disable", scope: "tracking"})`. It lasts for the page view. */

export const tracking = { isOff: false };
