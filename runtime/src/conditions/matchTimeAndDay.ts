/** Whether a local time is within `HH:MM_HH:MM_day,day`, both minutes included. A span does not go over midnight. */

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** What is written otherwise is no span, and holds nowhere. */
export const matchTimeAndDay = (now: Date, value: string): boolean => {
  const span = /^([01]?\d|2[0-4]):([0-5]?\d)_([01]?\d|2[0-4]):([0-5]?\d)_([a-z,]+)$/.exec(value);
  if (!span) {
    return false;
  }
  const minute = now.getHours() * 60 + now.getMinutes();
  const days = span[5].split(",");
  return (
    Number(span[1]) * 60 + Number(span[2]) <= minute &&
    minute <= Number(span[3]) * 60 + Number(span[4]) &&
    days.includes(DAYS[now.getDay()]) &&
    days.every((day) => DAYS.includes(day))
  );
};
