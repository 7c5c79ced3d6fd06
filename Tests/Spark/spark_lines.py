#!/usr/bin/env python3
"""Validates an archive of receipts on Apache Spark, with receipt-dump as the filter.

    pip install pyspark
    Tests/Spark/spark_lines.py /path/to/receipt-dump receipts.txt answers.jsonl --brief --environment production

The archive has one receipt a line; options after the three paths go to receipt-dump. Each partition is piped through a
process of its own, so receipt-dump must be at the same path on every worker. The answers come in the order of the lines
and are the same as those of one process: no answer depends on another line.

The master is that of the environment variable SPARK_MASTER, by default a cluster of two workers on this machine.
"""

import os
import shlex
import sys

from pyspark import SparkConf, SparkContext


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 64
    tool, archive, answers, *options = sys.argv[1:]
    master = os.environ.get("SPARK_MASTER", "local-cluster[2,1,1024]")
    configuration = (
        SparkConf()
        .setMaster(master)
        .setAppName("receipt-dump --lines")
        .set("spark.ui.enabled", "false")
        .set("spark.executor.memory", "512m")
    )
    # One thread a process: Spark already runs one process a core. No summary: there would be one a partition.
    command = shlex.join([os.path.abspath(tool), "--lines", "--quiet", "--jobs", "1", *options])
    context = SparkContext(conf=configuration)
    try:
        lines = context.textFile(os.path.abspath(archive), minPartitions=int(os.environ.get("PARTITIONS", "4")))
        with open(answers, "w", encoding="utf-8", newline="\n") as output:
            for answer in lines.pipe(command, checkCode=True).toLocalIterator():
                output.write(answer + "\n")
    finally:
        context.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
