/** Waits until the browser has gone through mutation observers and painted. */

export const frame = async (): Promise<void> => {
  await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
};
