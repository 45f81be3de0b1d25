/** Whether a local time is within `HH:MM_HH:MM_day,day`, both minutes included. A span does not go over midnight. */

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export const matchTimeAndDay = (now: Date, value: string): boolean => {
  const [from, to, days = ""] = value.split("_");
  const minute = now.getHours() * 60 + now.getMinutes();
  return minuteOf(from) <= minute && minute <= minuteOf(to) && days.split(",").includes(DAYS[now.getDay()]);
};

/** Not a number, and so within nothing, for what is no time. */
const minuteOf = (time = ""): number => Number(time.split(":")[0]) * 60 + Number(time.split(":")[1]);
